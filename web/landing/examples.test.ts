import { expect, test } from 'vitest'
import recorded from '../../docs/site/media/examples.json'
import { EXAMPLES, SAMPLE } from './examples.ts'

test.each(EXAMPLES)('the sizes of $operation are those that were measured', ({ operation, size_kb }) => {
  const { before, after } = recorded[operation]
  const { width, height } = SAMPLE
  expect(before).toMatchObject({ width, height, caption: `image/jpeg, ${SAMPLE.size_kb} KB` })
  expect(after).toMatchObject({ width, height, caption: `image/jpeg, ${size_kb} KB` })
})
