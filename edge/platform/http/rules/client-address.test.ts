import { expect, test } from 'vitest'
import { blockOf, clientSubject } from './client-address.ts'

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

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['::ffff:203.0.113.7', null],
  ['203.0.113.7', null],
  ['unknown', null],
  [null, null],
])('%s is in the block %s', (address, block) => {
  expect(blockOf(address)).toBe(block)
})
