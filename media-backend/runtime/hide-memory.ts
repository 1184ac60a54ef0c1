import koffi from 'koffi'

const SET_DUMPABLE = 4

/**
 * Closes /proc/PID/environ and the memory of this process, which hold secrets, to other processes of its user. A child
 * process is open again after its exec. Has no effect for root.
 */
export function hideMemory(): void {
  if (process.platform !== 'linux') return
  const set = koffi.load('libc.so.6').func('int prctl(int option, ulong value, ulong, ulong, ulong)')
  if (set(SET_DUMPABLE, 0, 0, 0, 0) !== 0) throw new Error('the memory of this process cannot be hidden')
}
