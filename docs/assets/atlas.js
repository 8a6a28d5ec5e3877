/* The language switch keeps the section: its links carry the fragment of the address. */
const keepSection = () => {
  for (const link of document.querySelectorAll(".md-select__link[hreflang]")) link.hash = location.hash
}
addEventListener("hashchange", keepSection)
keepSection()

/* What is copied from a session is its code alone, fit for any prompt: an empty line ends each indented block. Material
   takes what stands in `data-copy`. The rule is that of `hooks.snippets.code`. */
for (const code of document.querySelectorAll(".highlight code:has(> .gp, > span > .gp)")) {
  const out = []
  let gap = false
  for (const line of code.textContent.split("\n")) {
    const [, prompt, , text = ""] = line.match(/^(>>>|\.\.\.)( (.*))?$/) ?? []
    if (prompt === ">>>" && out.length && out.at(-1) && (gap || /^\s/.test(out.at(-1)))) out.push("")
    if (prompt) out.push(text)
    gap = line === ""
  }
  code.closest(".highlight").dataset.copy = out.join("\n")
}

/* Material reads the search box when a key comes up. A word that is pasted, dictated or picked with the mouse from the
   list of an input method comes without a key. */
document.querySelector("[data-md-component=search-query]")?.addEventListener("input", ({target}) => target.dispatchEvent(new Event("keyup")))
