import { expect, test } from 'vitest'
import { clientSubject } from './client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['127.0.0.1', '127.0.0.1'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown'],
])('%s is counted as %s', (address, subject) => {
  expect(clientSubject(address)).toBe(subject)
})
