/* Forms whose choices live in the address: they can be shared, and the back button undoes them. */
const keepInAddress = (form, names, show) => {
  const fields = names.map(name => form.elements[name])

  const refresh = () => {
    show(...fields.map(field => field.value))
    for (const link of document.querySelectorAll(".md-select__link[hreflang]")) link.search = location.search
  }

  const address = () => {
    const query = new URLSearchParams(fields.filter(field => field.value.trim()).map(field => [field.name, field.value.trim()]))
    return location.pathname + (query.size ? `?${query}` : "") + location.hash
  }

  // A word that is typed is one step back, not one for each letter.
  let typing = false
  const changed = event => {
    const search = event.target.type === "search"
    const again = typing && search
    typing = search && event.type === "input"
    if (address() !== location.pathname + location.search + location.hash) history[again ? "replaceState" : "pushState"](null, "", address())
    refresh()
  }

  const read = () => {
    const query = new URLSearchParams(location.search)
    for (const field of fields) {
      field.value = query.get(field.name) ?? ""
      if (field.selectedIndex < 0) field.value = "" // an address with a word that nobody offers
    }
    typing = false
    refresh()
  }

  form.addEventListener("input", changed)
  form.addEventListener("change", () => (typing = false))
  form.addEventListener("submit", event => event.preventDefault())
  form.addEventListener("reset", event => setTimeout(() => changed(event)))
  addEventListener("popstate", read)
  addEventListener("pageshow", read) // after the browser has put back what it remembers of the form
  form.hidden = false
  read()
}
