import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { QueuedJob } from './queues.ts'
import { priorityOf, type Rank, rankOf, TURNS_MAX, turnOf } from './rules/turns.ts'

/**
 * Keeps the turns of one lane (rules/turns.ts) in a hash beside its queue, because any process may accept a job. The
 * scripts repeat the rule for Redis, so that two processes never give out the same turn. A lost hash costs no job:
 * the turns only start over.
 */

/** Rounds that may pass before the numbers start over, which needs an empty lane or a script over all of its jobs. */
const ROUNDS_MAX = Math.floor(TURNS_MAX / 2)

/** KEYS: turns, prioritized, delayed. ARGV: group, account ('' for none) and waiting jobs of each job, flattened. */
const ASSIGN = `
if redis.call('ZCARD', KEYS[2]) == 0 and redis.call('ZCARD', KEYS[3]) == 0 then
  for group = 0, 2 do
    if tonumber(redis.call('HGET', KEYS[1], 'now:' .. group) or 0) > 1000 then redis.call('DEL', KEYS[1]) end
  end
end
local turns = {}
for index = 1, #ARGV, 3 do
  local group, account, waiting = ARGV[index], ARGV[index + 1], tonumber(ARGV[index + 2])
  local now = tonumber(redis.call('HGET', KEYS[1], 'now:' .. group) or 0)
  local turn = now + waiting
  if account ~= '' then
    local field = group .. ':' .. account
    turn = math.max(now, tonumber(redis.call('HGET', KEYS[1], field) or 0))
    redis.call('HSET', KEYS[1], field, turn + 1)
  end
  turns[#turns + 1] = turn
end
return turns`

/** KEYS: turns. ARGV: group, turn. Returns the round that has started. */
const START = `
local field = 'now:' .. ARGV[1]
local now = math.max(tonumber(redis.call('HGET', KEYS[1], field) or 0), tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], field, now)
return now`

/** KEYS: turns. ARGV: group, account, turn. */
const END = `
local field = ARGV[1] .. ':' .. ARGV[2]
if tonumber(redis.call('HGET', KEYS[1], field) or 0) == tonumber(ARGV[3]) + 1 then redis.call('HDEL', KEYS[1], field) end`

/** KEYS: turns. ARGV: group, account. */
const RELEASE = `
local field = ARGV[1] .. ':' .. ARGV[2]
local free = tonumber(redis.call('HGET', KEYS[1], field) or 0)
local now = tonumber(redis.call('HGET', KEYS[1], 'now:' .. ARGV[1]) or 0)
if free > 0 then redis.call('HSET', KEYS[1], field, math.max(now, free - 1)) end`

/**
 * Subtracts the rounds that have passed from the turns of all waiting jobs and accounts of a group, in a lane that is
 * never empty. KEYS: turns, prioritized, delayed. ARGV: group, first and last priority of the group, width of a turn,
 * prefix of the job keys, largest round.
 */
const REBASE = `
local group, first, last, width = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(redis.call('HGET', KEYS[1], 'now:' .. group) or 0)
if now <= tonumber(ARGV[6]) then return 0 end
local function shifted(priority) return math.max(first + (priority - first) % width, priority - now * width) end
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  local priority = tonumber(redis.call('HGET', ARGV[5] .. id, 'priority') or 0)
  if priority >= first and priority <= last then redis.call('HSET', ARGV[5] .. id, 'priority', shifted(priority)) end
end
local scale = 4294967296
local rows = redis.call('ZRANGEBYSCORE', KEYS[2], string.format('%.0f', first * scale),
  string.format('(%.0f', (last + 1) * scale), 'WITHSCORES')
for index = 1, #rows, 2 do
  local score = tonumber(rows[index + 1])
  local priority = math.floor(score / scale)
  local moved = shifted(priority)
  redis.call('ZADD', KEYS[2], string.format('%.0f', moved * scale + score % scale), rows[index])
  redis.call('HSET', ARGV[5] .. rows[index], 'priority', moved)
end
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  if string.sub(fields[index], 1, #group + 1) == group .. ':' then
    local free = tonumber(fields[index + 1]) - now
    if free <= 0 then redis.call('HDEL', KEYS[1], fields[index]) else redis.call('HSET', KEYS[1], fields[index], free) end
  end
end
redis.call('HSET', KEYS[1], 'now:' .. group, 0)
return now`

/** Assigns the next jobs of a lane their turns, and returns their BullMQ priorities in order. */
export async function assignPriorities(
  redis: Redis,
  queue: Queue<QueuedJob>,
  jobs: readonly QueuedJob[],
): Promise<number[]> {
  const ranks = jobs.map(rankOf)
  const turns = await redis.eval(ASSIGN, 3, ...keysOf(queue), ...ranks.flatMap(argumentsOf))
  return ranks.map((rank, index) => priorityOf(rank, Number((turns as number[])[index] ?? 0)))
}

function argumentsOf({ group, account, waiting }: Rank): string[] {
  return [String(group), account ?? '', String(waiting)]
}

/** Records that a job has started, and starts the numbers over if they have grown too large. */
export async function startJobTurn(redis: Redis, queue: Queue<QueuedJob>, job: Job<unknown>): Promise<void> {
  if (job.priority < 1) return
  const { group, turn } = turnOf(job.priority)
  const [turns, prioritized, delayed] = keysOf(queue)
  const now = Number(await redis.eval(START, 1, turns, group, turn))
  if (now <= ROUNDS_MAX) return
  const first = priorityOf({ group, level: 0 }, 0)
  const last = priorityOf({ group, level: 9 }, TURNS_MAX - 1)
  const width = priorityOf({ group, level: 0 }, 1) - first
  const rest = [group, first, last, width, queue.toKey(''), ROUNDS_MAX]
  await redis.eval(REBASE, 3, turns, prioritized, delayed, ...rest)
}

/** Forgets the account of a job that has ended if it has no later job, so its next job gets the current round. */
export async function endJobTurn(redis: Redis, queue: Queue<QueuedJob>, job: Job<unknown>): Promise<void> {
  const { data } = QueuedJob.safeParse(job.data)
  // The segments of a job belong to its turn, which goes on.
  if (data === undefined || data.segment !== undefined || job.priority < 1) return
  const { group, turn } = turnOf(job.priority)
  const { account } = rankOf(data)
  if (account !== null) await redis.eval(END, 1, keysOf(queue)[0], group, account, turn)
}

/** Gives the turn of a canceled job back to its account. */
export async function releaseJobTurn(redis: Redis, queue: Queue<QueuedJob>, job: QueuedJob): Promise<void> {
  const { group, account } = rankOf(job)
  if (account !== null) await redis.eval(RELEASE, 1, keysOf(queue)[0], group, account)
}

function keysOf(queue: Queue<QueuedJob>): [string, string, string] {
  return [queue.toKey('turns'), queue.toKey('prioritized'), queue.toKey('delayed')]
}
