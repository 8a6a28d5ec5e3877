/* The language switch keeps the section: its links carry the fragment of the address. */
const keepSection = () => {
  for (const link of document.querySelectorAll(".md-select__link[hreflang]")) link.hash = location.hash
}
addEventListener("hashchange", keepSection)
keepSection()
