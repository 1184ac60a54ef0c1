import { z } from 'zod'

/** Creation time, with or without a UTC offset. Tags cannot store years outside this range. */
export const CreationTime = z.iso
  .datetime({ offset: true, local: true, error: 'must be a timestamp such as 2026-05-01T12:30:00' })
  .refine((text) => text >= '1970' && text < '2100', 'must be between 1970 and 2099')
