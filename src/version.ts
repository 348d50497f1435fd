/** The version of this program, put in by the build. */
declare const __CHAT_VERSION__: string;

export const version: string = __CHAT_VERSION__;

/** Without the version: a service needs to know no more. */
export const userAgent = 'chat-completions-cli';
