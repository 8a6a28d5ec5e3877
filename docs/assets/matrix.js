/* The filters of the matrix, and what its cells do. */
{
  const form = document.querySelector(".mx-form")
  const table = document.querySelector(".mx-table")
  const box = table.parentElement
  const head = [...table.tHead.rows[0].cells]
  const columns = head.map(cell => cell.textContent.trim())

  const rows = [...table.querySelectorAll("tr[data-s]")].map(row => ({
    row,
    area: row.parentElement.id,
    status: row.dataset.s,
    text: `${row.cells[0].textContent} ${row.dataset.q}`.toLowerCase(),
    // Per release the classes of its cell: how the feature stands, what is stated, what happened.
    cells: [...row.cells].map(cell => [...cell.classList, ...(cell.dataset.w ? [cell.dataset.w] : [])]),
  }))

  const shows = (each, {words, area, status, column, tier}) =>
    (!area || each.area === area) &&
    (!status || each.status === status) &&
    words.every(word => each.text.includes(word)) &&
    (column < 0
      ? !tier || each.cells.some(cell => cell.includes(tier))
      : tier
        ? each.cells[column].includes(tier)
        : each.cells[column].length > 1)

  let marked = -1
  const mark = column => {
    for (const {cells} of [table.tHead.rows[0], ...rows.map(each => each.row)]) {
      cells[marked]?.classList.remove("on")
      cells[column]?.classList.add("on")
    }
    if (column > 0 && column !== marked) {
      const room = box.clientWidth - head[0].offsetWidth
      box.scrollLeft = head[column].offsetLeft - head[0].offsetWidth - (room - head[column].offsetWidth) / 2
    }
    marked = column
  }

  const filter = (find, area, tier, release, status) => {
    const chosen = {
      words: find.toLowerCase().split(/\s+/).filter(Boolean),
      area,
      status,
      column: release ? columns.indexOf(release) : -1,
      tier: tier && form.elements.tier.selectedOptions[0].dataset.c,
    }
    let count = 0
    for (const each of rows) count += !(each.row.hidden = !shows(each, chosen))
    for (const body of table.tBodies) body.hidden = [...body.rows].slice(1).every(row => row.hidden)
    form.querySelector(".mx-count b").textContent = count
    mark(chosen.column)
  }

  // Not `q`: with that word in the address Material opens its own search.
  keepInAddress(form, ["find", "area", "tier", "release", "status"], filter)

  /* A cell leads to its feature, as the head of its row does, and tells its words to those who point at it. */
  const tip = document.body.appendChild(Object.assign(document.createElement("div"), {className: "mx-tip", hidden: true, ariaHidden: "true"}))
  const cellOf = event => event.target.closest("td[class]")
  table.addEventListener("click", event => {
    const cell = cellOf(event)
    if (!cell || String(getSelection())) return
    const link = cell.parentElement.querySelector("a")
    const target = link.href + (cell.matches(".t, .x, .d, .m, .c, .i, .o") ? "#history" : "")
    if (event.ctrlKey || event.metaKey) open(target)
    else location.assign(target)
  })
  table.addEventListener("pointerover", event => {
    const cell = event.pointerType === "mouse" && cellOf(event)
    tip.hidden = !cell
    if (!cell) return
    tip.textContent = `${cell.parentElement.cells[0].textContent} · ${columns[cell.cellIndex]}\n${cell.textContent}`
    const {left, bottom, top} = cell.getBoundingClientRect()
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`
    tip.style.top = `${bottom + 6 + tip.offsetHeight < innerHeight ? bottom + 6 : top - 6 - tip.offsetHeight}px`
  })
  table.addEventListener("pointerleave", () => (tip.hidden = true))
  box.addEventListener("scroll", () => (tip.hidden = true), {passive: true})
}
