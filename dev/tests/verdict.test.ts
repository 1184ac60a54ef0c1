import { expect, test } from 'vitest'
import type { Count, Failure } from './report.ts'
import { decideVerdict, filesToRepeat, type Repetition } from './verdict.ts'

function failure(file: string, name = 'works', project: string | null = 'edge'): Failure {
  return { project, file, test: name, error_lines: ['expected 1 to be 2'] }
}

function count(...failures: Failure[]): Count {
  return { passed: 10, not_run: 1, failures }
}

function repetition(file: string, failed_again: boolean): Repetition {
  return { project: 'edge', file, failed_again }
}

test('each failed file is repeated once, whatever the number of its failed tests', () => {
  const failures = [failure('a', 'one'), failure('a', 'two'), failure('a', 'three', 'fleet'), failure('b')]
  expect(filesToRepeat(failures)).toEqual([
    { project: 'edge', file: 'a' },
    { project: 'fleet', file: 'a' },
    { project: 'edge', file: 'b' },
  ])
})

test('tools are not repeated, and neither are many failed files', () => {
  expect(filesToRepeat([failure('tsc', 'types', null)])).toEqual([])
  expect(filesToRepeat(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((file) => failure(file)))).toEqual([])
})

test('a file that passes alone is flaky and does not fail the run', () => {
  const counts = [count(failure('a', 'one'), failure('a', 'two')), count()]
  expect(decideVerdict(counts, [repetition('a', false)])).toEqual({
    passed: 22,
    failed: 0,
    not_run: 2,
    flaky: [failure('a', 'one'), failure('a', 'two')],
    failures: [],
  })
})

test('a file that fails again fails the run', () => {
  const verdict = decideVerdict(
    [count(failure('a'), failure('b'))],
    [repetition('a', true), repetition('b', false)],
  )
  expect(verdict).toMatchObject({ passed: 11, failed: 1, flaky: [failure('b')], failures: [failure('a')] })
})

test('two flaky files pass, and a third one fails the run', () => {
  const counts = [count(failure('a'), failure('b'), failure('c'))]
  const repetitions = ['a', 'b', 'c'].map((file) => repetition(file, false))
  expect(decideVerdict([count(failure('a'), failure('b'))], repetitions.slice(0, 2))).toMatchObject({
    failed: 0,
  })
  expect(decideVerdict(counts, repetitions)).toMatchObject({
    passed: 10,
    failed: 3,
    failures: counts[0]?.failures,
  })
})

test('a failure that was not repeated fails the run', () => {
  expect(decideVerdict([count(failure('tsc', 'types', null))], [])).toMatchObject({ passed: 10, failed: 1 })
})

test('a file of the same name in another project stays failed', () => {
  const counts = [count(failure('a', 'works', 'fleet'))]
  expect(decideVerdict(counts, [repetition('a', false)])).toMatchObject({ failed: 1, flaky: [] })
})
