import { z } from 'zod'
import { packTexts } from '../text/texts.ts'

/** Creation time, with or without a UTC offset. Tags cannot store years outside this range. */
export const CreationTime = z.iso
  .datetime({
    offset: true,
    local: true,
    error: packTexts({
      en: 'must be a timestamp such as 2026-05-01T12:30:00',
      uk: 'значення має бути датою й часом, наприклад 2026-05-01T12:30:00',
      ru: 'значение должно быть датой и временем, например 2026-05-01T12:30:00',
    }),
  })
  .refine(
    (text) => text >= '1970' && text < '2100',
    packTexts({
      en: 'must be between 1970 and 2099',
      uk: 'рік має бути від 1970 до 2099',
      ru: 'год должен быть от 1970 до 2099',
    }),
  )
