import { expect, test } from 'vitest'
import { describeAnnounced } from './announce-all.ts'

test('says where accounts are placed', () => {
  expect(describeAnnounced(1)).toContain('all accounts are in the database of DATABASE_URL')
  expect(describeAnnounced(2)).toBe('In two minutes, accounts are placed in 2 databases.')
})
