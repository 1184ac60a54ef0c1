import { showToast } from './toasts.tsx'

/** Copies a text, and confirms it. Returns false if the browser refuses. */
export async function copyText(text: string, confirmation: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(confirmation)
    return true
  } catch {
    return false
  }
}
