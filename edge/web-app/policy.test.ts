import { expect, test } from 'vitest'
import { webAppPolicy } from './policy.ts'

const S3_ENDPOINT = 'https://storage.example.com/bucket'

test('pages run only scripts of this service and connect only to it and to storage', () => {
  const policy = webAppPolicy({ S3_ENDPOINT })
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self' https://storage.example.com;")
  expect(policy).not.toContain('frame-src')
})

test('the captcha runs where it is configured', () => {
  const policy = webAppPolicy({ S3_ENDPOINT, CAPTCHA_SITE_KEY: 'key' })
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
  expect(policy).toMatch(/frame-src https:\/\/challenges\.cloudflare\.com$/)
})
