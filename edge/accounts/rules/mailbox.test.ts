import { expect, test } from 'vitest'
import { mailboxOf } from './mailbox.ts'

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+news@example.com', 'ada@example.com'],
  ['ada+one+two@example.com', 'ada@example.com'],
  ['ada.lovelace@example.com', 'ada.lovelace@example.com'],
  ['A.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.da@mail.gmail.com', 'a.da@mail.gmail.com'],
  ['+ada@example.com', '+ada@example.com'],
])('%s is a spelling of %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
