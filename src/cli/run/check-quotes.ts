/** Asks for quotations, and checks those of an answer, if the settings want it. */
import {joinPieces} from '../../chat/prompt.ts';
import type {Environment} from '../../environment.ts';
import type {Settings} from '../../settings/options/settings.ts';
import type {TurnRunner} from './turn-runner.ts';

const quoteRequest =
	'Support each claim with a verbatim quotation in double quotes, followed by the name of its file in brackets. Mark omissions with …. If the files do not say it, say so.';

/** Adds the request to the system message, for this request alone. */
export function askForQuotes<Asked extends {readonly system: string}>(
	conversation: Asked,
	{quotes}: Pick<Settings, 'quotes'>,
): Asked {
	if (!quotes) return conversation;
	return {...conversation, system: joinPieces([conversation.system, quoteRequest])};
}

type Checking = {
	readonly settings: Settings;
	/** Whether prompts come through a pipe. */
	readonly isPiped: boolean;
};

/** Returns a runner whose turns end with checked quotations, if the settings want them. */
export function withCheckedQuotes(
	runTurn: TurnRunner,
	{settings, isPiped}: Checking,
	environment: Environment,
): TurnRunner {
	if (!settings.quotes && !settings.checkQuotes) return runTurn;
	const readPdf = async (bytes: Uint8Array, name: string) => {
		const {readPdfText} = await import('../../processes/read-pdf.ts');
		return await readPdfText(bytes, name, environment).catch(() => undefined);
	};
	return async function* (conversation, ...rest) {
		const {checkTurn} = await import('../../quotes/check-turn.ts');
		const batches = runTurn(askForQuotes(conversation, settings), ...rest);
		yield* checkTurn(batches, {conversation, isPiped, readPdf});
	};
}
