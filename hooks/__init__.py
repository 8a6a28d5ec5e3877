"""The library of the PyTorch Feature Atlas: plain functions, and one adapter that hands them to MkDocs."""
