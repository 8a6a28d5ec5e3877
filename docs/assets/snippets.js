/* The filters of the index of snippets. What is chosen lives in the address, so that it can be shared. */
const form = document.querySelector(".sn-form")
const fields = ["area", "feature", "outcome"].map(name => form.elements[name])
const lists = [...document.querySelectorAll(".sn-list")]

const filter = () => {
  const [area, feature, outcome] = fields.map(field => field.value)
  let count = 0
  for (const list of lists) {
    for (const group of list.children) {
      const asked = (!area || area === list.dataset.area) && (!feature || feature === group.dataset.feature)
      const entries = [...group.querySelectorAll("[data-outcome]")]
      for (const entry of entries) count += !(entry.hidden = !asked || (outcome && outcome !== entry.dataset.outcome))
      group.hidden = entries.every(entry => entry.hidden)
    }
    list.hidden = list.previousElementSibling.hidden = [...list.children].every(group => group.hidden)
  }
  form.querySelector("b").textContent = count
  for (const link of document.querySelectorAll(".md-select__link[hreflang]")) link.search = location.search
}

const changed = () => {
  const query = new URLSearchParams(fields.filter(field => field.value).map(field => [field.name, field.value]))
  history.pushState(null, "", location.pathname + (query.size ? `?${query}` : ""))
  filter()
}

const read = () => {
  const query = new URLSearchParams(location.search)
  for (const field of fields) {
    field.value = query.get(field.name) ?? ""
    if (field.selectedIndex < 0) field.value = "" // an address with a word that nobody chose
  }
  filter()
}

form.addEventListener("change", changed)
form.addEventListener("submit", event => event.preventDefault())
form.addEventListener("reset", () => setTimeout(changed))
addEventListener("popstate", read)
addEventListener("pageshow", read) // after the browser has put back what it remembers of the form
form.hidden = false
read()
