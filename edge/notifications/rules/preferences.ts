import { DAY_MS } from '../../platform/rules/days.ts'

/** How often an account receives emails about finished jobs. */
export const JOB_NOTIFICATIONS = ['off', 'each', 'daily'] as const
export type JobNotifications = (typeof JOB_NOTIFICATIONS)[number]

/** Email topics that an unsubscribe link can end. */
export const EMAIL_TOPICS = ['jobs', 'news'] as const
export type EmailTopic = (typeof EMAIL_TOPICS)[number]

/** Jobs that finish within this time share one email, so a batch does not send one email per file. */
const EACH_DELAY_MS = 2 * 60 * 1000
/** 07:00 UTC. */
const DAILY_AT_MS = 7 * 60 * 60 * 1000

/** Returns when a job that finishes now would be reported under each preference. */
export function summaryTimes(now: number): { each: number; daily: number } {
  const today = Math.floor(now / DAY_MS) * DAY_MS + DAILY_AT_MS
  return { each: now + EACH_DELAY_MS, daily: today > now ? today : today + DAY_MS }
}

/** Returns the URL that unsubscribes from a topic. */
export function unsubscribeUrl(publicUrl: string, token: string, topic: EmailTopic): string {
  return `${publicUrl}/unsubscribe/${token}/${topic}`
}
