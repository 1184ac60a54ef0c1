/** Result file to export to the customer's storage. */
export interface ExportedFile {
  filename: string
  content_type: string
  size_bytes: number
  /** Number of files of the result. */
  file_count: number
}

/** A signed request for an object of a customer. The URL is a credential and must not be logged. */
export interface SignedWrite {
  url: string
  headers: Record<string, string>
  /** The object as `storage://NAME/KEY`. */
  address: string
}

/** Access to servers of a job's customer. The edge grants each, because only the edge has the credentials. */
export interface CustomerStorage {
  /** Returns a signed URL of an input. @throws JobFailure download_failed */
  read(address: string): Promise<string>
  /** Returns the headers for the import of the job's file by URL. They may be credentials and must not be logged. */
  importHeaders(): Promise<Record<string, string>>
  /** Signs the PUT of a file of the result. @throws JobFailure export_failed */
  write(file: ExportedFile): Promise<SignedWrite>
}
