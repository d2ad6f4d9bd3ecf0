/** The contents next to a text mark what is being read; on a narrow screen a button unfolds them. */
export function followContents(contents: HTMLElement) {
  const button = contents.querySelector<HTMLButtonElement>('button')!
  const links = [...contents.querySelectorAll('a')]
  const unfold = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    contents.classList.toggle('open', isOpen)
  }
  button.addEventListener('click', () => unfold(!contents.classList.contains('open')))
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) unfold(false)
  })
  markSectionRead(contents, links)
  const search = contents.querySelector<HTMLInputElement>('[data-search]')
  if (search) enableSearch(contents, search)
}

/** Marks the last heading that has reached the upper quarter of the window. */
function markSectionRead(contents: HTMLElement, links: HTMLAnchorElement[]) {
  const byHeading = new Map<Element, HTMLAnchorElement>()
  for (const link of links) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (heading) byHeading.set(heading, link)
  }
  let marked: HTMLAnchorElement | undefined
  const mark = () => {
    const read = [...byHeading].findLast(
      ([heading]) => heading.getBoundingClientRect().top < innerHeight / 4
    )?.[1]
    if (read === marked) return
    marked?.removeAttribute('aria-current')
    read?.setAttribute('aria-current', 'true')
    marked = read
    // Contents longer than the window follow the text.
    if (read) contents.scrollTop = read.offsetTop - contents.clientHeight / 2
  }
  // Headings are looked at when one crosses the line, not with every pixel of scrolling.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -75% 0px' })
  for (const heading of byHeading.keys()) observer.observe(heading)
}

/** Leaves only entries whose title, fields or error codes have every word that is searched for. */
function enableSearch(contents: HTMLElement, search: HTMLInputElement) {
  const groups = [...contents.querySelectorAll<HTMLElement>('[data-group]')]
  const nothing = contents.querySelector<HTMLElement>('[data-nothing]')!
  const entries = [...contents.querySelectorAll<HTMLElement>('[data-words]')].map((entry) => ({
    entry,
    words: `${entry.textContent} ${entry.dataset.words}`.toLowerCase(),
  }))
  search.addEventListener('input', () => {
    const asked = search.value.toLowerCase().split(/\s+/)
    for (const { entry, words } of entries)
      entry.hidden = !asked.every((word) => words.includes(word))
    for (const group of groups) group.hidden = !group.querySelector('[data-words]:not([hidden])')
    nothing.textContent = groups.every(({ hidden }) => hidden) ? 'Nothing found' : ''
  })
}
