"""The atlas: features, tiers and releases as data, and everything that is derived from them."""
