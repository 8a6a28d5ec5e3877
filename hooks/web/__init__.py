"""What makes a web site of the expanded tree, beyond its pages; nothing here knows MkDocs.

    address       where the site and its sources live
    navigation    the navigation of an edition
    search        one index per edition, understood in either Chinese script
    metadata      what a page says of itself to machines
    syndication   feeds, llms.txt and Markdown twins (feeds, twins)
    publish       a site that appears whole or not at all
"""
