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

const Findings = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string(), target: z.array(z.string()) })) }),
)

/**
 * Results that axe cannot decide and that were examined: the rule, and a part of the selectors of its elements. Their
 * contrast was measured to be 5.2 to 17.7 in both themes.
 */
const EXAMINED: readonly (readonly [string, string])[] = [
  // Fixed beside the page, on the background of the page.
  ['color-contrast', 'starlight__on-this-page'],
  // The first link there, which axe selects without the name of the list if no other link leads to the top.
  ['color-contrast', '#_top'],
  // The pseudo element of the frame is behind the title, in the color of the frame.
  ['color-contrast', '.title'],
  // Nobody speaks in these previews; dev/site/comparison.test.ts checks that the others have captions.
  ['video-caption', 'video'],
]

/** Colors that still change to those of another theme or state would count as poor contrast. */
const END_TRANSITIONS = `for (const animation of document.getAnimations()) {
  if (animation.effect?.getComputedTiming().endTime < Infinity) animation.finish()
}`

/** Lists the rules that elements of the page violate now, with the elements. */
async function listViolations(page: Page): Promise<string[]> {
  return (await runAxe(page, [])).violations
}

/**
 * Lists the violations, and the results that axe cannot decide and nobody has examined.
 * @param exclude CSS selectors of elements that other pages have too, which need no second check
 */
export async function listFindings(page: Page, exclude: readonly string[]): Promise<string[]> {
  return Object.values(await runAxe(page, exclude)).flat()
}

async function runAxe(page: Page, exclude: readonly string[]) {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const context = JSON.stringify({ exclude: exclude.map((selector) => [selector]) })
  // Elements that comply need no description.
  const options = JSON.stringify({ resultTypes: ['violations', 'incomplete'] })
  await page.evaluate(END_TRANSITIONS)
  const run = `axe.run(${context}, ${options}).then(({ violations, incomplete }) => ({ violations, incomplete }))`
  const { violations, incomplete } = z
    .object({ violations: Findings, incomplete: Findings })
    .parse(await page.evaluate(run))
  const describe = (findings: typeof violations, isListed = (_id: string, _selector: string) => true) =>
    findings.flatMap(({ id, nodes }) =>
      nodes.filter(({ target }) => isListed(id, target.join(' '))).map(({ html }) => `${id}: ${html}`),
    )
  return {
    violations: describe(violations),
    unexamined: describe(incomplete, (id, selector) => !isExamined(id, selector)),
  }
}

function isExamined(id: string, selector: string): boolean {
  return EXAMINED.some(([rule, part]) => rule === id && selector.includes(part))
}

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
    expect([width, colorScheme, ...(await listViolations(page))]).toEqual([width, colorScheme])
  }
}
