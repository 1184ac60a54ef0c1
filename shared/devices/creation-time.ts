import { z } from 'zod'

/** When something was recorded, with or without a zone; other years than these no tag can hold. */
export const CreationTime = z.iso
  .datetime({ offset: true, local: true, error: 'must be a time such as 2026-05-01T12:30:00' })
  .refine((text) => text >= '1970' && text < '2100', 'must be a time between 1970 and 2099')
