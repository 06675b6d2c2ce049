import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The lock of a library that has it only while one call lasts, and runs the program's own code in there: each visit is a thread of its own. */
final class Section {
    private final Consumer<Runnable> call;
    private Visit visit;

    /** The call is handed the code that it has to run while it has the lock. */
    Section(Consumer<Runnable> call) {
        this.call = call;
    }

    private static final class Visit extends Thread {
        final CompletableFuture<Boolean> isInside = new CompletableFuture<>();
        final CountDownLatch mayLeave = new CountDownLatch(1);
        final FutureTask<Void> task;

        Visit(Consumer<Runnable> call) {
            task = new FutureTask<>(() -> call.accept(this::stay), null);
            setDaemon(true);
            start();
        }

        @Override public void run() {
            task.run();
            isInside.complete(false);
        }

        private void stay() {
            isInside.complete(true);
            try {
                mayLeave.await();
            } catch (InterruptedException nobodyWantsTheLock) {
                return;
            }
        }
    }

    /** A call that takes too long is interrupted, and so is that of a caller who is: it throws what the library throws then. */
    boolean enter() throws InterruptedException, ExecutionException {
        visit = null;
        Visit attempt = new Visit(call);
        try {
            if (attempt.isInside.get(Dialogue.WAIT_MS, TimeUnit.MILLISECONDS)) {
                visit = attempt;
                return true;
            }
        } catch (TimeoutException | InterruptedException impatience) {
            attempt.interrupt();
        }
        attempt.task.get();
        return false;
    }

    /** False for one that was not entered. */
    boolean leave() throws InterruptedException, ExecutionException {
        Visit left = visit;
        visit = null;
        if (left == null) {
            return false;
        }
        left.mayLeave.countDown();
        try {
            left.task.get();
        } catch (InterruptedException impatience) {
            left.interrupt();
            left.task.get();
        }
        return true;
    }
}
