import type { Page } from 'playwright-core'
import { z } from 'zod'

/** Rules of markup that content can break on each page, checked within milliseconds. axe checks everything else. */
const LIST_FAULTS = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const hasText = (element) => element.textContent.trim() !== ''
  const hasName = (element) =>
    hasText(element) || element.ariaLabel || element.title || element.hasAttribute('aria-labelledby') ||
    element.querySelector('img[alt]:not([alt=""])') !== null
  const describe = (rule, elements) => elements.map((element) => rule + ': ' + element.outerHTML.slice(0, 200))
  const ids = all('[id]').map(({ id }) => id)
  const levels = all('main :is(h1, h2, h3, h4, h5, h6)').map(({ localName }) => Number(localName[1]))
  const fragments = all('a[href^="#"]').filter(({ hash }) => hash.length > 1 && !document.getElementById(decodeURIComponent(hash.slice(1))))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'duplicate id: ' + id),
    ...levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1).map((level) => 'skipped heading level before h' + level),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['not one h1']),
    ...describe('no alternative', all('img:not([alt])')),
    ...describe('no name', all('a[href], button, summary, video, h1, h2, h3, h4').filter((element) => !hasName(element))),
    ...describe('no target', fragments),
    ...describe('no header', all('table').filter((table) => table.querySelector('th') === null)),
  ]
})()`

/** Lists faults of headings, ids, names, alternatives and tables of the open page. */
export async function listMarkupFaults(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(LIST_FAULTS))
}
