import type { ImageAction } from '../../../shared/planning/steps.ts'

/**
 * The order in which one sharp pipeline applies what it is told, whatever the order of the calls
 * (sharp's src/pipeline.cc). `crop` is the extract before the resize.
 */
const ORDER = [
  'crop',
  'resize',
  'flip',
  'rotate',
  'blur',
  'sharpness',
  'overlay',
  'circle',
  'color',
  'autocontrast',
] as const satisfies ImageAction['action'][]

/**
 * Puts actions that fit sharp's order into one stage, which is one sharp pipeline. Between two stages the
 * pixels pass as they are; a picture is decoded and encoded once in any case.
 */
export function groupStages(actions: readonly ImageAction[]): [ImageAction[], ...ImageAction[][]] {
  const stages: [ImageAction[], ...ImageAction[][]] = [[]]
  for (const action of actions) {
    const stage = stages.at(-1) ?? []
    if (fits(stage, action)) stage.push(action)
    else stages.push([action])
  }
  return stages
}

function fits(stage: readonly ImageAction[], { action }: ImageAction): boolean {
  const last = stage.at(-1)
  if (last === undefined) return true
  // Layers are composed in the order in which they are given.
  if (action === 'overlay' && last.action === 'overlay') return true
  if (ORDER.indexOf(action) <= ORDER.indexOf(last.action)) return false
  // sharp turns before it crops what a resize left over.
  if (action === 'flip' || action === 'rotate') return !has(stage, 'crop', 'resize')
  // One half of a change of color runs before layers are composed, the other after.
  return action !== 'color' || !has(stage, 'overlay', 'circle')
}

function has(stage: readonly ImageAction[], ...names: ImageAction['action'][]): boolean {
  return stage.some(({ action }) => names.includes(action))
}

/** Whether the last stage leaves transparent parts that a format without transparency has to fill. */
export function opensTransparency(stages: readonly ImageAction[][]): boolean {
  return (stages.at(-1) ?? []).some(
    (action) =>
      (action.action === 'circle' && action.background === null) ||
      (action.action === 'rotate' && action.background === null && action.degrees % 90 !== 0) ||
      (action.action === 'resize' && action.fit === 'contain' && (action.background ?? null) === null),
  )
}
