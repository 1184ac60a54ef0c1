import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../../dev/system/root.ts'

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const WIDTHS = [360, 1280]
const THEMES = ['light', 'dark'] as const

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

/**
 * Runs axe on what the page shows now.
 * @param exclude CSS selectors of elements that other pages have too, which need no second check
 * @returns each rule that an element violates, with the element
 */
export async function listViolations(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const context = JSON.stringify({ exclude: exclude.map((selector) => [selector]) })
  const found = await page.evaluate(`axe.run(${context}).then(({ violations }) => violations)`)
  return Violations.parse(found).flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/**
 * Expects the page to fit a phone and a desktop, and to be accessible on both in both themes. Saves screenshots if the
 * SCREENSHOTS environment variable names a folder.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    for (const colorScheme of THEMES) {
      // Without motion, colors change at once.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { SCREENSHOTS } = process.env
      if (SCREENSHOTS)
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`) })
      expect([width, colorScheme, ...(await listViolations(page))]).toEqual([width, colorScheme])
    }
  }
}
