"""Pages: saved, served and in notebooks. The page itself (HTML, JavaScript) is in page/."""

PORT = 8150  # the first one tried, of this machine
