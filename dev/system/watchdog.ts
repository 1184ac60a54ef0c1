import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { isGroupAlive, listGroups, signalGroup } from './process-tree.ts'

/**
 * Terminates the parts of the system when the process that started them exits, even if it was killed with SIGKILL.
 * Reads `+pid` and `-pid` from standard input. When the input closes, terminates all processes that are still
 * registered.
 */
const GRACE_MS = 3000

const parts = new Set<number>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) parts.add(pid)
  else parts.delete(pid)
}

const groups = [...parts].flatMap(listGroups)
for (const group of groups) signalGroup(group, 'SIGTERM')
const deadline = Date.now() + GRACE_MS
while (groups.some(isGroupAlive) && Date.now() < deadline) await delay(50)
for (const group of groups) signalGroup(group, 'SIGKILL')
