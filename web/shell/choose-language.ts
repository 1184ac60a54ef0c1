import { rememberAccount } from '../api/account.ts'
import { describeError, media } from '../api/media.ts'
import { isSignedIn } from '../api/session.ts'
import { showToast } from '../design/toasts.tsx'
import { chooseLocale, type Locale } from '../text/locale.ts'

/** Changes the language of the pages, and of the emails of a signed-in user. */
export async function chooseLanguage(next: Locale): Promise<void> {
  chooseLocale(next)
  if (!isSignedIn.value) return
  try {
    rememberAccount(await media.value.auth.updateAccount({ locale: next }))
  } catch (error) {
    showToast(describeError(error).message)
  }
}
