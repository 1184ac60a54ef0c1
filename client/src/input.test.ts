import { expect, test } from 'vitest'
import { openInput } from './input.ts'
import type { Input } from './options.ts'
import { webPlatform } from './platform.ts'

test.each([
  [undefined, 'The input is undefined.'],
  [null, 'The input is null.'],
  [7, 'The input is a number.'],
  [() => {}, 'The input is a function.'],
  [{ path: 'a.jpg' }, 'The input is an object of another kind.'],
])('%j is refused with what an input can be', async (input, message) => {
  await expect(openInput(webPlatform, input as unknown as Input, {})).rejects.toThrow(message)
})
