import { expect, test } from 'vitest'
import { judgeResolvedName } from './resolved-names.ts'

test.each([
  ['safe', [['93.184.215.14'], []]],
  ['safe', [['93.184.215.14'], ['2606:2800:21f:cb07:6820:80da:af6b:8b2c']]],
  ['unsafe', [['10.0.0.1'], []]],
  ['unsafe', [['93.184.215.14', '127.0.0.1'], []]],
  ['unsafe', [['93.184.215.14'], ['::1']]],
  ['unsafe', [['169.254.169.254'], null]],
  ['unsafe', [['no address'], []]],
  ['unknown', [null, null]],
  ['unknown', [['93.184.215.14'], null]],
  ['nowhere', [[], []]],
])('%s: %j', (verdict, answers) => {
  expect(judgeResolvedName(answers)).toBe(verdict)
})
