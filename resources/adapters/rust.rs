// An adapter for `lockscope-cli prove`, of a lock made with the redis crate. Put your own lock in place of the scripts.
// Run it:  cargo init --name adapter && cargo add redis && cp rust.rs src/main.rs && cargo build --release
//          lockscope-cli prove --adapter target/release/adapter
// Try it:  LOCKSCOPE_URL=redis://127.0.0.1:6379/0 cargo run     then type: acquire t0 demo
use redis::{Script, Value};
use std::{env, io, thread::sleep, time::Duration};

const MINE: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end ";

fn main() -> redis::RedisResult<()> {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(1000);
    let (lease, wait) = (number("LOCKSCOPE_LEASE_MS"), number("LOCKSCOPE_WAIT_MS"));
    let url = env::var("LOCKSCOPE_URL").unwrap_or("redis://127.0.0.1:6379/0".into());
    let mut server = redis::Client::open(url)?.get_connection()?;
    let release = Script::new(&format!("{MINE} return redis.call('DEL', KEYS[1])"));
    let extend = Script::new(&format!("{MINE} return redis.call('PEXPIRE', KEYS[1], ARGV[2])"));
    println!("ready acquire release extend reset");
    for line in io::stdin().lines().map_while(Result::ok) {
        let [word, thread, key, ..] = line.split_whitespace().chain(["", "", ""]).collect::<Vec<_>>()[..] else { unreachable!() };
        let owner = format!("{}-{}-{thread}", env::var("LOCKSCOPE_PROCESS").unwrap_or_default(), std::process::id());
        let mut set = redis::cmd("SET");
        set.arg(key).arg(&owner).arg("NX").arg("PX").arg(lease);
        let answer = match word {
            "acquire" => (0..=wait / 100).find_map(|attempt| {
                sleep(Duration::from_millis(if attempt > 0 { 100 } else { 0 }));
                Some(set.query::<Value>(&mut server)).filter(|said| !matches!(said, Ok(Value::Nil)))
            }).unwrap_or(Ok(Value::Nil)),
            "release" => release.key(key).arg(&owner).invoke(&mut server),
            "extend" => extend.key(key).arg(&owner).arg(lease).invoke(&mut server),
            _ => Ok(Value::Okay),
        };
        match answer {
            Ok(Value::Nil | Value::Int(0)) => println!("{thread} no"),
            Ok(_) => println!("{thread} yes"),
            Err(problem) => println!("{thread} error {problem}"),
        }
    }
    Ok(())
}
