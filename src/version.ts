/** The version of this program, put in by the build. */
declare const __CHAT_VERSION__: string;

export const version: string = __CHAT_VERSION__;
