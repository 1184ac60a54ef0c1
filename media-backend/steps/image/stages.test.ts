import { expect, test } from 'vitest'
import type { ImageAction } from '../../../shared/planning/steps.ts'
import { groupStages, opensTransparency } from './stages.ts'

const actions: Record<string, ImageAction> = {
  resize: { action: 'resize', width: 10, height: 10, fit: 'fill' },
  crop: { action: 'crop', left: 0, top: 0, width: 5, height: 5 },
  rotate: { action: 'rotate', degrees: 90, background: null },
  slant: { action: 'rotate', degrees: 10, background: null },
  flip: { action: 'flip', axis: 'h' },
  circle: { action: 'circle', diameter: 10, background: null },
  blur: { action: 'blur', radius: 2 },
  color: { action: 'color', brightness: 2, contrast: 1, saturation: 1 },
  autocontrast: { action: 'autocontrast' },
}

function actionsOf(names: string): ImageAction[] {
  return names.split(' ').flatMap((name) => actions[name] ?? [])
}

test.each([
  ['resize', 1],
  ['crop resize', 1],
  ['crop resize circle', 1],
  ['crop resize blur color', 1],
  ['flip rotate', 1],
  ['flip rotate blur color autocontrast', 1],
  ['resize resize', 2],
  ['resize crop', 2],
  ['resize rotate', 2],
  ['rotate flip', 2],
  ['autocontrast color', 2],
  ['circle color', 2],
  ['color circle', 2],
  ['rotate resize rotate resize', 4],
])('%s needs %i sharp pipelines', (names, count) => {
  const stages = groupStages(actionsOf(names))
  expect(stages).toHaveLength(count)
  expect(stages.flat()).toEqual(actionsOf(names))
})

test('decodes and encodes in one pipeline if there are no actions', () => {
  expect(groupStages([])).toEqual([[]])
})

test.each([
  ['circle', true],
  ['slant', true],
  ['rotate', false],
  ['circle resize', false],
])('%s adds transparency in its last pipeline: %s', (names, opens) => {
  expect(opensTransparency(groupStages(actionsOf(names)))).toBe(opens)
})
