import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../../dev/system/root.ts'

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
/** No layout depends on the theme, and no color on the width, so each of them is checked once. */
export const VIEWS = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

const Node = z.object({ html: z.string(), isExamined: z.boolean() })
const Findings = z.array(z.object({ id: z.string(), nodes: z.array(Node) }))

/**
 * Results that axe cannot decide and that were examined: the rule, and a CSS selector of the elements or of what they
 * are in. Their contrast was measured to be 5.2 to 17.7 in both themes.
 */
const EXAMINED: readonly (readonly [string, string])[] = [
  // Fixed beside the page, on the background of the page.
  ['color-contrast', '.right-sidebar'],
  // The pseudo element of the frame is behind the title, in the color of the frame.
  ['color-contrast', '.expressive-code .title'],
  // White on black with an opacity of 73 %, over an image: 9.7 even over white (web/design/comparison.module.css).
  ['color-contrast', '[class*="_label_"]:is([class*=" _left_"], [class*=" _right_"])'],
  // Nobody speaks in previews of the site; dev/site/comparison.test.ts checks that the others have captions. Videos in
  // the studio belong to the account.
  ['video-caption', 'video'],
]

/** Colors that still change to those of another theme or state would count as poor contrast. */
const END_TRANSITIONS = `for (const animation of document.getAnimations()) {
  if (animation.effect?.getComputedTiming().endTime < Infinity) animation.finish()
}`

/**
 * Lists the violations, and the results that axe cannot decide and nobody has examined.
 * @param exclude CSS selectors of elements that other pages have too, which need no second check
 */
export async function listFindings(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  return Object.values(await runAxe(page, exclude)).flat()
}

/**
 * Elements that stay in place while the page scrolls cover others, whose background axe then cannot determine. Puts
 * them where they are in the document; dialogs keep their place above it.
 */
const RELEASE_STICKY = `for (const element of document.body.querySelectorAll('*')) {
  const { position } = getComputedStyle(element)
  if ((position === 'sticky' || position === 'fixed') && element.closest('dialog, [popover]') === null) {
    element.dataset.released = element.style.position
    element.style.position = 'static'
  }
}`
const RESTORE_STICKY = `for (const element of document.querySelectorAll('[data-released]')) {
  element.style.position = element.dataset.released
  delete element.dataset.released
}`

async function runAxe(page: Page, exclude: readonly string[]) {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const context = JSON.stringify({ exclude: exclude.map((selector) => [selector]) })
  // Elements that comply need no description.
  const options = JSON.stringify({ resultTypes: ['violations', 'incomplete'], elementRef: true })
  await page.evaluate(END_TRANSITIONS)
  const run = `axe.run(${context}, ${options}).then(${SUMMARIZE})`
  const { violations, incomplete } = z
    .object({ violations: Findings, incomplete: Findings })
    .parse(await page.evaluate(run))
  const describe = ({ id, nodes }: z.infer<typeof Findings>[number]) =>
    nodes.map(({ html }) => `${id}: ${html}`)
  const unexamined = incomplete.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter((node) => !node.isExamined),
  }))
  return { violations: violations.flatMap(describe), unexamined: unexamined.flatMap(describe) }
}

/** Looks at the elements themselves, because the selectors that axe makes depend on the rest of the page. */
const SUMMARIZE = `({ violations, incomplete }) => {
  const isExamined = (id, element) =>
    ${JSON.stringify(EXAMINED)}.some(([rule, selector]) => rule === id && element.closest(selector) !== null)
  const summarize = ({ id, nodes }) =>
    ({ id, nodes: nodes.map(({ html, element }) => ({ html, isExamined: isExamined(id, element) })) })
  return { violations: violations.map(summarize), incomplete: incomplete.map(summarize) }
}`

/**
 * Expects the page to fit a phone and a desktop, and to be accessible on both and in both themes. Saves screenshots if
 * the SCREENSHOTS environment variable names a folder.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) })
    await page.evaluate(RELEASE_STICKY)
    const findings = await listFindings(page)
    await page.evaluate(RESTORE_STICKY)
    expect([width, colorScheme, ...findings]).toEqual([width, colorScheme])
  }
}
