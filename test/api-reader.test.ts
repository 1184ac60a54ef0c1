import { expect, inject, test } from 'vitest'
import { useChromium } from './support/chromium.ts'

const system = inject('system')
const browser = useChromium()

test('the API reader works under its content security policy', async () => {
  const page = await browser().newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  // The reader renders only visible parts, and opens the operation that the URL names.
  await page.goto(`${system.api_url}/docs/api#/Accounts%20and%20sign-in/auth.login`)
  await page.getByRole('button', { name: 'Try it out' }).first().waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark-mode').waitFor()
  expect(errors).toEqual([])
})

test.each(['/docs-reader/start.js', '/auth/callback', '/billing/return', '/pages.css'])(
  'the static file %s has strict security headers',
  async (path) => {
    const { status, headers } = await fetch(system.api_url + path)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'; frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  },
)
