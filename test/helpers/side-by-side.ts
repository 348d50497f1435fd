/**
 * Runs the stories of a test that mostly wait at the same time. Waits for all of them; a failure has
 * the name of its story.
 */
export async function sideBySide(
	stories: Readonly<Record<string, () => Promise<void>>>,
): Promise<void> {
	const ends = await Promise.allSettled(
		Object.entries(stories).map(async ([name, tell]) => {
			await tell().catch((error: Error) => {
				error.message = `${name}: ${error.message}`;
				throw error;
			});
		}),
	);
	for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
