"""The compiled entries that time loops call by address. One file per unit of the cache."""
