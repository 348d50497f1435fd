/** Everything a run knows when its first request is about to be made. */
import type {CheckAnswer} from '../chat/check-answer.ts';
import type {Notice} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {RunnableTool} from '../chat/tool.ts';
import type {InterruptSignal} from '../errors.ts';
import type {Prompt} from '../input/read-prompt.ts';
import type {Settings} from '../settings/options/option-rows.ts';
import type {OpenService} from './open-service.ts';

export type RunContext = {
	readonly settings: Settings;
	readonly service: OpenService;
	readonly options: ChatOptions;
	/** The tools that are run here. */
	readonly tools: readonly RunnableTool[];
	/** What the answer must be, if a schema says so. */
	readonly check: CheckAnswer | undefined;
	/** Empty: no system message. */
	readonly system: string;
	/** What is asked at once, and what is attached; a session may begin with nothing. */
	readonly prompt: Prompt;
	/** What is to be told before the request is made. */
	readonly notices: readonly Notice[];
	readonly signal: AbortSignal;
	/** Ends the run as this signal does. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
};
