import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { groupsOf, isGroupAlive, signalGroup } from './process-tree.ts'

/**
 * Runs beside the system and outlives it. Reads `+pid` and `-pid` from standard input; when that closes,
 * its starter is gone (even by SIGKILL) and everything still on the list is ended.
 */
const GRACE_MS = 3000

const parts = new Set<number>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) parts.add(pid)
  else parts.delete(pid)
}

const groups = [...parts].flatMap(groupsOf)
for (const group of groups) signalGroup(group, 'SIGTERM')
const deadline = Date.now() + GRACE_MS
while (groups.some(isGroupAlive) && Date.now() < deadline) await delay(50)
for (const group of groups) signalGroup(group, 'SIGKILL')
