/* The filters of the index of snippets. */
const form = document.querySelector(".sn-form")
const lists = [...document.querySelectorAll(".sn-list")]

keepInAddress(form, ["area", "feature", "outcome"], (area, feature, outcome) => {
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
})
