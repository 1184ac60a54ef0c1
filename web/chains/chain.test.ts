import { expect, test } from 'vitest'
import type { Tool } from '../studio/tools.ts'
import {
  chainOf,
  findStepFaults,
  makeStep,
  moveStep,
  operationOf,
  sentChain,
  templateName,
  templateOf,
  toolsToAdd,
} from './chain.ts'

const tool = (service_slug: string, operation_key: string, can_follow = true, can_precede = true) =>
  ({
    ...{ service_slug, operation_key, enabled: true, accepts: [service_slug] },
    config: { chain: { can_follow, can_precede }, fields: [] },
  }) as unknown as Tool

const [trim, gif, voice, resize, edit] = [
  tool('video', 'trim'),
  tool('video', 'gif', true, false),
  tool('video', 'enhance_voice', false, true),
  tool('image', 'resize'),
  tool('image', 'edit', false, false),
] as const
const tools = [trim, gif, voice, resize, edit]

test('a chain runs as its first operation with the others as its pipeline', () => {
  const chain = [makeStep(trim, { duration: 2 }), makeStep(gif)]
  expect(operationOf(chain)).toEqual({
    service_slug: 'video',
    operation_key: 'trim',
    params: { duration: 2, operations: [{ operation_key: 'gif', params: {} }] },
  })
  expect(operationOf(chain.slice(1))).toEqual({ service_slug: 'video', operation_key: 'gif', params: {} })
  expect(operationOf([])).toBeNull()
})

test('a saved chain is the same when it is opened again', () => {
  const chain = [makeStep(trim, { duration: 2 }), makeStep(gif)]
  const opened = chainOf(templateOf(chain, null))
  expect(operationOf(opened)).toEqual(operationOf(chain))
})

test('only operations of the same service can be added, and none that cannot be chained', () => {
  expect(toolsToAdd(tools, [])).toEqual([trim, gif, voice, resize])
  expect(toolsToAdd(tools, [makeStep(trim)])).toEqual([trim, gif, voice])
  expect(
    toolsToAdd(
      tools,
      Array.from({ length: 21 }, () => makeStep(trim)),
    ),
  ).toEqual([])
})

test('says which steps must be first or last, and which have no tool', () => {
  const [first, last, between] = [makeStep(voice), makeStep(gif), makeStep(trim)]
  expect(findStepFaults([first, between, last], tools)).toEqual([null, null, null])
  expect(findStepFaults([last, between, first], tools)).toEqual(['must_be_last', null, 'must_be_first'])
  expect(findStepFaults([first, between], [trim])).toEqual(['unavailable', null])
})

test('moves a step and ignores impossible places', () => {
  const [a, b, c] = [makeStep(trim), makeStep(gif), makeStep(voice)]
  expect(moveStep([a, b, c], 0, 2)).toEqual([b, c, a])
  expect(moveStep([a, b, c], 2, 0)).toEqual([c, a, b])
  expect(moveStep([a, b, c], 0, 3)).toEqual([a, b, c])
  expect(moveStep([a, b, c], 0, -1)).toEqual([a, b, c])
})

test.each([
  ['Clips for the web', 'clips-for-the-web'],
  ['  --A_b 1!', 'a_b-1'],
  ['Відео', ''],
])('"%s" suggests the name "%s"', (title, name) => {
  expect(templateName(title)).toBe(name)
})

test('a step with settings that the service would refuse is found, and settings without effect are left out', () => {
  const field = {
    type: 'integer',
    min: 1,
    max: 9,
    required: true,
    default: null,
    shown_when: null,
    fields: null,
  }
  const scale = {
    ...resize,
    config: {
      ...resize.config,
      fields: [
        { ...field, key: 'width' },
        { ...field, key: 'fit', required: false },
      ],
    },
  } as unknown as Tool
  expect(findStepFaults([makeStep(scale)], [scale])).toEqual(['invalid'])
  const chain = [makeStep(scale, { width: 3, fit: null })]
  expect(findStepFaults(chain, [scale])).toEqual([null])
  expect(operationOf(sentChain(chain, [scale]))?.params).toEqual({ width: 3 })
})
