"""Pages: saved, served and in notebooks. The page itself (HTML, JavaScript) is in page/."""
