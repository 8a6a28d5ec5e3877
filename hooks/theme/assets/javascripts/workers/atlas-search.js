/* Stands before Material's search worker and rewrites queries, so that they find what the reader means:

   - Chinese in the other script becomes this edition's (內存 or 记忆体 in a Simplified page, 内存 in a Traditional one);
   - Chinese is cut at the words of the index. Material's own cutting drops what follows a word it knows
     when no single character there is a word: 混合精度 would search for 混合 alone;
   - names find themselves in lower case: the index holds PyTorch as `Py` and `Torch`;
   - a dotted name means all of its parts: torch.fft is not every page with Torch in its title.

   The index brings `variants` in its config (hooks/web/search.py). */
(() => {
  const HAN = /\p{sc=Han}+/gu
  const words = new Set()
  const latins = new Set()
  const names = []
  let variants = {}
  let longest = 1

  function learn({ config, docs }) {
    variants = config.variants ?? {}
    const spellings = new Map()
    for (const { title, text } of docs)
      for (const field of [title, text]) {
        for (const [word] of field.matchAll(HAN)) words.add(word)
        for (const [part] of field.matchAll(/[A-Za-z_0-9]+/g)) latins.add(part.toLowerCase())
        for (const [name] of field.matchAll(/[A-Za-z]+[A-Z][a-z][A-Za-z]*/g)) spellings.set(name.toLowerCase(), name)
      }
    names.push(...[...spellings].sort())
    for (const word of [...words, ...Object.keys(variants)]) longest = Math.max(longest, word.length)
  }

  /* The longest match at each place; `known` gives what stands for a match, or undefined. */
  function* cut(run, known) {
    for (let at = 0, size; at < run.length; at += size) {
      for (size = Math.min(longest, run.length - at); size > 1; size--)
        if (known(run.slice(at, at + size)) !== undefined) break
      const piece = run.slice(at, at + size)
      yield known(piece) ?? piece
    }
  }

  const word = piece => (words.has(piece) ? piece : undefined)
  const variant = piece => variants[piece] ?? word(piece)

  /* Quotes around each character keep Material from cutting a word again; it drops them before it searches. */
  const whole = piece => [...piece].map(char => `"${char}"`).join("")

  /* Single characters that no word covers belong together: an unknown word, or one still being typed. */
  function join(pieces) {
    const out = []
    let loose = ""
    for (const piece of pieces)
      if (words.has(piece)) { if (loose) out.push(loose); loose = ""; out.push(piece) }
      else loose += piece
    return loose ? [...out, loose] : out
  }

  function han(run) {
    const own = [...cut(run, variant)].join("")
    return ` ${join([...cut(own, word)]).map(whole).join(" ")} `
  }

  function dotted(typed) {
    const parts = typed.split(".")
    return parts.every(part => latins.has(part.toLowerCase())) ? parts.flatMap(part => humps(part)).map(part => `+${part}`).join(" ") : typed
  }

  const humps = part => part.split(/[_]+|(?!^)(?=[A-Z][a-z])/).filter(Boolean)

  function latin(typed) {
    const lower = typed.toLowerCase()
    const found = names.find(([name]) => name === lower) ?? (lower.length > 3 && names.find(([name]) => name.startsWith(lower)))
    return found ? found[1].slice(0, typed.length) : typed
  }

  function rewrite(query) {
    const plain = HAN.test(query) ? query.replaceAll('"', "") : query
    HAN.lastIndex = 0
    return plain.replace(HAN, han)
      .split(/(?<![\w.])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?![\w.])/)
      .map((part, odd) => (odd % 2 ? dotted(part) : part.replace(/\b[A-Za-z]{3,}\b/g, latin)))
      .join("")
  }

  addEventListener("message", ({ data: message }) => {
    if (message.type === 0) learn(message.data)
    if (message.type === 2) message.data = rewrite(message.data)
  })

  importScripts(location.search.slice(1))
})()
