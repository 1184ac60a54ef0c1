import { expect, inject, test } from 'vitest'
import { useChromium } from './support/chromium.ts'

const system = inject('system')
const browser = useChromium()

test('the documentation shows every endpoint under its own policy, and no other site can frame it', async () => {
  const page = await browser().newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${system.api_url}/docs`)
  await page.locator('.opblock').first().waitFor()
  await page.locator('.opblock', { hasText: '/api/v1/auth/login' }).locator('button').first().click()
  await page.getByRole('button', { name: 'Try it out' }).first().waitFor()
  expect(complaints).toEqual([])
})

test.each(['/docs-reader/start.js', '/auth/callback', '/billing/return', '/pages.css'])(
  'the static file %s comes with strict headers',
  async (path) => {
    const { status, headers } = await fetch(system.api_url + path)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'; frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  },
)
