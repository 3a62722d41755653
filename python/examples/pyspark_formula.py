"""A formula as a function of Spark.

    pip install './python[spark]'
    python python/examples/pyspark_formula.py

Spark hands the columns of a batch to Python as those of pandas, and the formula is sent to the workers with the function.
"""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf

from counterpoint import Formula

IPC = Formula("instructions / cycles")


def ratio(instructions: pd.Series, cycles: pd.Series) -> pd.Series:
    return pd.Series(IPC(instructions=instructions, cycles=cycles))


def main() -> None:
    builder = SparkSession.builder.master("local[1]").appName("formulas")
    for key, value in {
        "spark.driver.memory": "512m",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    counts = spark.createDataFrame(
        [(0, 3e9, 2e9), (1, 1e9, 2e9), (2, 5e9, None), (3, 7.0, 0.0)],
        "rank int, instructions double, cycles double",
    )
    ipc = pandas_udf(ratio, "double")
    rows = (
        counts.select("rank", ipc("instructions", "cycles").alias("ipc")).orderBy("rank").collect()
    )
    for row in rows:
        print(row.rank, "no value" if row.ipc is None or row.ipc != row.ipc else row.ipc)
    spark.stop()


if __name__ == "__main__":
    main()
