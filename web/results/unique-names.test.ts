import { expect, test } from 'vitest'
import { uniqueNames } from './unique-names.ts'

test('equal names are numbered', () => {
  expect(
    uniqueNames(['a.jpg', 'b.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'notes', 'notes', '.env', '.env']),
  ).toEqual([
    ...[
      'a.jpg',
      'b.jpg',
      'A (2).JPG',
      'a (3).jpg',
      'a (2) (2).jpg',
      'notes',
      'notes (2)',
      '.env',
      '.env (2)',
    ],
  ])
})
