/* The chooser of the upgrade view: shows what happened between two releases. The rules are those of
   hooks/atlas/upgrade.py, which has sorted the page for the pair that it opens with. */
const form = document.querySelector(".up-form")
if (form) {
  const {from, to} = form.elements
  const groups = Object.fromEntries([...document.querySelectorAll(".up-group")].map(section => [section.dataset.g, section]))
  const urgency = Object.keys(groups)
  const usual = [from, to].map(select => select.querySelector("[selected]").value)

  const entries = [...document.querySelectorAll(".up-entry")]
    .map(entry => ({
      entry,
      order: Number(entry.dataset.order),
      first: Number(entry.dataset.first),
      gone: Number(entry.dataset.gone ?? Infinity),
      lines: [...entry.querySelectorAll("li[data-r]")].map(line => ({
        line,
        release: Number(line.dataset.r),
        group: line.dataset.g,
        problem: "until" in line.dataset,
        until: Number(line.dataset.until ?? Infinity),
      })),
    }))
    .sort((a, b) => a.order - b.order)

  const index = select => Number(select.selectedOptions[0].dataset.r)

  const show = () => {
    // An address without a pair, or with one that makes no sense.
    if (from.selectedIndex < 0) from.value = usual[0]
    if (to.selectedIndex < 0 || index(to) <= index(from)) to.selectedIndex = 0
    const [start, end] = [index(from), index(to)]
    let count = 0
    for (const {entry, first, gone, lines} of entries) {
      const young = first > start
      let group = "rest"
      for (const each of lines) {
        const inside = start < each.release && each.release <= end && !(each.problem && (young || end > each.until))
        each.line.hidden = !inside
        if (inside) group = young ? (gone <= end ? "past" : "may") : urgency[Math.min(urgency.indexOf(group), urgency.indexOf(each.group))]
      }
      count += group !== "rest"
      groups[group].append(entry)
    }
    for (const section of Object.values(groups)) section.hidden = section.dataset.g === "rest" || !section.querySelector(".up-entry")
    form.querySelector("b").textContent = count
  }

  form.addEventListener("input", event => {
    if (index(from) < index(to)) return
    // The other end gives way: to the newest release, or to the one just before.
    if (event.target === from) to.selectedIndex = 0
    else from.selectedIndex = [...from.options].findIndex(option => Number(option.dataset.r) < index(to))
  })
  keepInAddress(form, ["from", "to"], show)
}
