import { defineTexts } from '../text/define-texts.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './surfaces.tsx'

const texts = defineTexts({
  en: { retry: 'Try again' },
  uk: { retry: 'Спробувати ще раз' },
  ru: { retry: 'Попробовать снова' },
})

/** Shows why something did not load, with a button that loads it again. */
export function RetryNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return <ErrorNotice error={error} action={<Button onClick={onRetry}>{texts().retry}</Button>} />
}
