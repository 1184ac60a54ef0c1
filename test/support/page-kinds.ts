import type { Page } from 'playwright-core'
import { z } from 'zod'

/**
 * Fetches pages of one site and lists the kinds of elements in the main part of each: an element with its classes
 * inside its parent. Classes that replace a style attribute count where they color code.
 */
const READ_KINDS = `async (addresses) => {
  const nameOf = ({ localName, classList }) => {
    const names = [...classList].filter((name) => localName === 'span' || !name.startsWith('i-'))
    return [localName, ...names.sort()].join('.')
  }
  const listKinds = async (address) => {
    const html = await (await fetch(address)).text()
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const main = parsed.querySelector('main') ?? parsed.body
    const elements = [...main.querySelectorAll('*')].filter((element) => !element.closest('svg svg, svg > *'))
    return [...new Set(elements.map((element) => element.parentElement.localName + ' > ' + nameOf(element)))]
  }
  return Promise.all(addresses.map(async (address) => [address, await listKinds(address)]))
}`

const Kinds = z.array(z.tuple([z.string(), z.array(z.string())]))

/** Lists the kinds of elements of each page. The open page must be of the same site. */
export async function readPageKinds(page: Page, addresses: readonly string[]) {
  const kinds = Kinds.parse(await page.evaluate(`(${READ_KINDS})(${JSON.stringify(addresses)})`))
  return new Map(kinds.map(([address, names]) => [address, new Set(names)]))
}

/** Chooses few pages that between them have every kind of element: each time the page with most of the kinds left. */
export function choosePages(kinds: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const chosen: string[] = []
  const left = new Set([...kinds.values()].flatMap((names) => [...names]))
  const countLeft = (names: ReadonlySet<string>) => [...names].filter((name) => left.has(name)).length
  while (left.size > 0) {
    const [next] = [...kinds].toSorted(([, one], [, other]) => countLeft(other) - countLeft(one))
    if (!next) break
    chosen.push(next[0])
    for (const name of next[1]) left.delete(name)
  }
  return chosen
}
