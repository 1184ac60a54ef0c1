import { expect, test } from 'vitest'
import { inputName } from './input-name.ts'

test.each([
  [{ file_url: 'https://example.org/files/uploads/1/%D0%B2%D1%96%D0%B4%D0%BF.mp4' }, 'відп.mp4'],
  [{ file_url: 'https://example.org/clip.mp4?token=1' }, 'clip.mp4'],
  [{ file_url: 'https://example.org/100%.mp4' }, '100%.mp4'],
  [{ file_url: 'https://example.org/' }, null],
  [{ file_url: { storage: 'own', key: 'clip.mp4' } }, null],
  [{ url: 'https://example.org/watch' }, null],
])('the input of %j is named %j', (params, name) => {
  expect(inputName({ params })).toBe(name)
})
