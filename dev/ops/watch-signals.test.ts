import { expect, test, vi } from 'vitest'
import { watchSignals } from './watch-signals.ts'

test('a signal that npm forwards as well ends a move before its next step, and a later one the process', () => {
  vi.useFakeTimers()
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const before = process.listenerCount('SIGHUP')
  const throwIfStopped = watchSignals(7)
  throwIfStopped()
  process.emit('SIGHUP')
  process.emit('SIGHUP')
  expect(log.mock.calls).toEqual([[expect.stringContaining('cancel-move 7')]])
  expect(throwIfStopped).toThrow('The move was stopped.')
  expect(process.listenerCount('SIGHUP')).toBe(before + 1)
  vi.runAllTimers()
  expect(process.listenerCount('SIGHUP')).toBe(before)
  vi.useRealTimers()
  log.mockRestore()
})
